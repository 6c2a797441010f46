from validator.report import *
