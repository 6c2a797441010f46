from converters.records import *
