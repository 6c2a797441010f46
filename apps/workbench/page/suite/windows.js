// Which windows of this browser show the page: each keeps its own unsaved work.
const NAME = "evalmark:window";
const LOCK = `${NAME}:`;

/** The id of this window, which a reload does not change; empty until `lookAtWindows`. */
let own = "";
/** @type {Set<string>} */
let others = new Set();

export const ownWindow = () => own;

/** True if another open window has this id. @param {string} id */
export const isElsewhere = (id) => id !== own && others.has(id);

/** An id that no other window and no other new suite has. */
export const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/** Learn which windows are open; the first time, this one takes its id. */
export async function lookAtWindows() {
  if (!navigator.locks) return; // all windows have one id
  if (!own) {
    // A window that was duplicated has the id of the first one until here.
    const id = newId();
    const before = sessionStorage.getItem(NAME);
    own = before && (await couldTake(before)) ? before : id;
    if (own === id) await couldTake(id);
    sessionStorage.setItem(NAME, own);
  }
  const { held = [] } = await navigator.locks.query();
  others = new Set(held.map(({ name = "" }) => name.slice(LOCK.length)));
}

/** Take an id for as long as this window is open, if no other one has it. @param {string} id @returns {Promise<boolean>} */
function couldTake(id) {
  return new Promise((answer) => {
    void navigator.locks.request(LOCK + id, { ifAvailable: true }, (lock) => {
      answer(lock !== null);
      return lock && new Promise(() => {});
    });
  });
}
