from scoring.pages import *
