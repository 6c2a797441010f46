from validator import *
