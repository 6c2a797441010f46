from cli import *
