-- A session of Neovim with the configuration of docs/editors.md: open, an error appears, fix it,
-- hover, complete, rename a condition, save. Writes a line for each step to $SESSION.
local log = io.open(os.getenv("SESSION"), "w")
local function say(...) log:write(table.concat({ ... }, " "), "\n") log:flush() end
local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then say("TIMEOUT", what) vim.cmd("cquit") end
end
local function errors() return vim.diagnostic.get(0) end
local function request(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 60000) or {}) do
    if answer.result then return answer.result, answer end
  end
  return {}
end

vim.cmd("filetype on")
dofile(os.getenv("CONFIGURATION"))
vim.cmd("edit " .. os.getenv("SUITE"))
wait("diagnostics", function() return #errors() > 0 end)
for _, found in ipairs(errors()) do say("diagnostic", found.code, found.message) end

local place = errors()[1]
vim.api.nvim_win_set_cursor(0, { place.lnum + 1, place.col })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local action = request("textDocument/codeAction", params)[1]
say("action", action.title)
vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
wait("the fix", function() return #errors() == 0 end)
say("fixed")

vim.fn.search("%mismatch%")
vim.cmd("normal! l")
local hover = request("textDocument/hover", vim.lsp.util.make_position_params())
say("hover", vim.split(hover.contents.value, "\n")[1])
local items = request("textDocument/completion", vim.lsp.util.make_position_params())
say("completion", items[1].label)
params = vim.lsp.util.make_position_params()
params.newName = "wrong"
vim.lsp.util.apply_workspace_edit(request("textDocument/rename", params), "utf-16")
vim.wait(500)
say("after renaming", #errors())
vim.cmd("write")
say("saved")
vim.lsp.stop_client(vim.lsp.get_active_clients(), true)
vim.cmd("qall!")
