from converters import *
