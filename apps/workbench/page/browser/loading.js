// Shown while a page loads: a sentence, and a bar once its size is known.
import { el } from "../dom.js";

export class Loading {
  constructor() {
    this.text = el("p", { class: "faint", role: "status" }, "Loading …");
    this.bar = el("progress", { max: 1, "aria-label": "Python is loaded" });
    this.amount = el("span", { class: "faint" });
    this.element = el("div", {}, this.text);
  }

  /** @param {string} text @param {string} [amount] in words @param {number} [share] from 0 to 1; without it, nobody knows */
  show(text, amount = "", share) {
    if (this.text.textContent !== text) this.text.textContent = text; // it is read aloud
    this.amount.textContent = share === undefined ? amount : `${Math.floor(share * 100)} %, ${amount}`;
    if (share === undefined) this.bar.removeAttribute("value");
    else this.bar.value = share;
    if (!this.bar.isConnected) this.element.append(el("p", { class: "row-of" }, this.bar, this.amount));
  }
}
