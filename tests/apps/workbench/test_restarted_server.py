"""A server that was started again: an open page finds it, or asks where it is; nothing is lost."""

import re
import shutil
import socket
import subprocess

import pytest
from browser import violations
from serving import SUITE, Page, served, suite_page

pytest.importorskip("starlette")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def serving_at(folder, port):
    """A server of the folder at a port, until it is killed."""
    return served(folder, "--port", str(port), end=subprocess.Popen.kill)


def test_an_open_page_survives_its_server(tmp_path, browser):
    folder, other = tmp_path / "mine", tmp_path / "other"
    for one in (folder, other):
        one.mkdir()
        shutil.copy(SUITE, one)
    first, second = free_port(), free_port()
    context = browser.new_context(bypass_csp=True)
    with serving_at(folder, first) as address:
        page = Page(context.new_page(), address)
        page.open("suite.json")
    page.type("The girl", "Enter")
    page.page.get_by_text("This page continues when it runs again").wait_for()
    assert not violations(page.page)

    # Another folder at this address: its tab has brought a token, which is not used.
    with serving_at(other, first) as address:
        page.page.get_by_text("was started again").wait_for()
        context.new_page().goto(address)
        page.page.get_by_text("Another folder is served at this address now").wait_for()

    # The folder at another address, which is asked for.
    with serving_at(folder, second) as address:
        connection = page.page.get_by_role("region", name="Connection")
        # Edits for which there is no room stay where they are, in a page that works.
        page.page.evaluate(
            """() => {
              Storage.prototype.before = Storage.prototype.setItem;
              Storage.prototype.setItem = () => { throw new Error("full"); };
            }"""
        )
        field = connection.get_by_label("its address now")
        field.fill(address)
        connection.get_by_role("button", name="Connect").click()
        page.page.wait_for_function("!document.querySelector('.connection input').checkValidity()")
        assert "too large" in field.evaluate("field => field.validationMessage")
        page.page.evaluate("() => void (Storage.prototype.setItem = Storage.prototype.before)")
        page.page.locator(".grid").first.click()
        for given in (address.partition("?")[0], address):
            assert connection.is_visible()
            connection.get_by_label("its address now").fill(given)
            connection.get_by_role("button", name="Connect").click()
        page.page.wait_for_url(re.compile(rf":{second}/.*#/file/suite\.json$"))
        page.page.wait_for_selector(".grid .cell.active")
        assert page.texts()[0][0] == "The girl"
    page.type("A girl", "Enter")
    page.page.get_by_text("This page continues when it runs again").wait_for()

    # The same address with another token, which a new tab has brought.
    with serving_at(folder, second) as address:
        page.page.get_by_text("was started again").wait_for()
        context.new_page().goto(address)
        page.page.get_by_role("region", name="Connection").wait_for(state="hidden")
        page.checked()
        page.keys("Control+s")
        page.page.locator("#live").get_by_text("saved to suite.json").wait_for()
    assert "A girl" in (folder / "suite.json").read_text()
    assert (other / "suite.json").read_bytes() == SUITE.read_bytes()
    context.close()


def test_escape_drops_no_edits_of_a_file_that_has_changed(tmp_path, browser):
    shutil.copy(SUITE, tmp_path)
    with served(tmp_path) as address, suite_page(browser, address) as page:
        page.open("suite.json")
        page.type("The girl", "Enter")
        page.go("", ".start")
        path = tmp_path / "suite.json"
        path.write_text(path.read_text() + "\n")
        page.page.evaluate("location.hash = '#/file/suite.json'")
        page.page.get_by_role("dialog", name="Unsaved edits").wait_for()
        page.keys("Escape")
        page.page.wait_for_selector(".grid .cell.active")
        assert page.texts()[0][0] == "The girl"
