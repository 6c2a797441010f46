from validator.formula import *
