// Runs before a site is drawn: the address of the example shows its picture; `:target` would come too late.
document.documentElement.classList.toggle("at-example", location.hash === "#/new/example-agreement");
