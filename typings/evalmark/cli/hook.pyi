from cli.hook import *
