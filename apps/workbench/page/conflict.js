// Two versions of a suite, place by place, and which one is kept: each on its own, or all at once.
import { counted, el } from "./dom.js";
import { differences, merged } from "./suite/merging.js";
import { obstacle } from "./suite/table.js";
/** @import {Difference, Side} from "./suite/merging.js" */
/** @import {Suite} from "./suite/types.js" */

/** Places that are listed; further ones keep what is chosen for them at first. */
const LISTED = 300;

export class Conflict {
  /**
   * @param {Suite} theirs
   * @param {Suite} mine
   * @param {Difference[]} places
   */
  constructor(theirs, mine, places) {
    this.theirs = theirs;
    this.mine = mine;
    /** Key of a place -> whose text is kept there. @type {Map<string, Side>} */
    this.chosen = new Map(places.map(({ key, changed }) => [key, changed ?? "mine"]));
    const open = places.filter(({ changed }) => changed === null);
    const settled = places.filter(({ changed }) => changed !== null);
    this.content = [
      open.length > 0 && this.list(open),
      settled.length > 0 &&
        el(
          "details",
          { open: !open.length },
          el("summary", {}, `${counted(settled.length, "place")} changed on one side only: the change is kept`),
          this.list(settled),
        ),
    ];
  }

  /**
   * The conflict of two versions; null if it cannot be shown by places.
   * @param {Suite | null} base what both began from
   * @param {Suite | null} theirs
   * @param {Suite} mine
   */
  static of(base, theirs, mine) {
    const places = theirs && !obstacle(theirs) ? differences(base, theirs, mine) : null;
    return theirs && places && new Conflict(theirs, mine, places);
  }

  /** True if the two versions say the same. */
  get isNone() {
    return this.chosen.size === 0;
  }

  /** The suite of what is chosen. */
  get suite() {
    const keys = [...this.chosen].filter(([, side]) => side === "theirs").map(([key]) => key);
    return merged(this.theirs, this.mine, new Set(keys));
  }

  /** @param {Difference[]} places */
  list(places) {
    const more = places.length - LISTED;
    return el(
      "div",
      { class: "conflicts", role: "group", "aria-label": "Places that differ" },
      ...places.slice(0, LISTED).map((one) => this.choice(one)),
      more > 0 && el("p", { class: "small" }, `… and ${counted(more, "more place", "more places")}`),
    );
  }

  /** @param {Difference} difference */
  choice({ key, place, theirs, mine }) {
    const side = (/** @type {Side} */ value, /** @type {string} */ name, /** @type {string} */ text) => {
      const onchange = () => this.chosen.set(key, value);
      const checked = this.chosen.get(key) === value;
      const box = el("input", { type: "radio", name: key, value, checked, onchange });
      return el("label", { class: "check" }, box, el("span", { class: "faint" }, `${name}:`), " ", el("bdi", {}, text));
    };
    return el("fieldset", {}, el("legend", {}, place), side("theirs", "theirs", theirs), side("mine", "yours", mine));
  }
}
