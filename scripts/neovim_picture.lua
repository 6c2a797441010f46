-- Opens $SUITE in Neovim, waits for a finding, shows it in a window, and ends.
local function colour(group, attributes) vim.api.nvim_set_hl(0, group, attributes) end

vim.o.termguicolors, vim.o.number, vim.o.laststatus, vim.o.ruler = true, true, 0, false
vim.cmd("syntax on | filetype on")
for _, group in ipairs({ "String", "Number", "Label", "jsonKeyword", "jsonQuote" }) do
  colour(group, { fg = group == "Label" and "#79c0ff" or "#7ee787" })
end
colour("Normal", { fg = "#e6edf3" })
for level, fg in pairs({ Error = "#ff7b72", Warn = "#e3b341" }) do
  for _, kind in ipairs({ "", "Sign", "VirtualText" }) do
    colour("Diagnostic" .. kind .. level, { fg = fg })
  end
  colour("DiagnosticUnderline" .. level, { fg = fg, underline = true })
end

vim.diagnostic.config({ virtual_text = false })
dofile(os.getenv("CONFIGURATION"))
vim.cmd("edit " .. os.getenv("SUITE"))
vim.defer_fn(function()
  local found = vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
  if not found then vim.cmd("cquit") end
  local place = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { place.lnum + 1, place.col })
  vim.fn.winrestview({ topline = place.lnum - 5 })
  vim.diagnostic.open_float({ scope = "line", header = "", border = "rounded" })
  vim.cmd("mode") -- draws everything again
  vim.defer_fn(function() vim.cmd("qall!") end, 500)
end, 100)
