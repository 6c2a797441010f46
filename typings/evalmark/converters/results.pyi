from converters.results import *
