// The parts of Python: fetched side by side, counted while they arrive, checked when they are there.

/** @typedef {{bytes: number, integrity: string}} Part */

/** Bytes as the integrity of a part: base64 of their SHA-256. @param {BufferSource} bytes */
async function integrityOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}

export class Downloads {
  /**
   * @param {URL} site its folder
   * @param {Record<string, Part>} parts of the site, by their paths
   * @param {(done: number, total: number) => void} tell how many bytes are there
   */
  constructor(site, parts, tell) {
    this.site = site;
    this.parts = parts;
    this.tell = tell;
    this.done = 0;
    this.total = Object.values(parts).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @param {number} bytes */
  add(bytes) {
    this.done += bytes;
    this.tell(this.done, this.total);
  }

  /** A part, whole. @param {string} path @returns {Promise<ArrayBuffer>} */
  async bytes(path) {
    const { integrity } = this.parts[path];
    // A fetch that checks hands over nothing before the end; without https it has to.
    const { body } = await load(new URL(path, this.site), crypto.subtle ? {} : { integrity });
    const counting = new TransformStream({
      transform: (chunk, next) => {
        this.add(chunk.length);
        next.enqueue(chunk);
      },
    });
    const bytes = await new Response(body?.pipeThrough(counting)).arrayBuffer().catch((error) => notLoaded(path, error));
    if (crypto.subtle && (await integrityOf(bytes)) !== integrity)
      throw new Error(`${path} cannot be loaded: it is not the file of this site. Load the page again`);
    return bytes;
  }

  /** A part that is compressed. @param {string} path @returns {Promise<ArrayBuffer>} */
  async unpacked(path) {
    const packed = new Response(await this.bytes(path)).body;
    return new Response(packed?.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  /** A part that is a module: it is loaded before it is imported elsewhere. @param {string} path */
  async module(path) {
    await import(new URL(path, this.site).href).catch((error) => notLoaded(path, error));
    this.add(this.parts[path].bytes);
  }
}

/** @param {URL} url @param {RequestInit} [options] */
export async function load(url, options) {
  const name = url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
  const response = await fetch(url, options).catch((error) => notLoaded(name, error));
  if (!response.ok) throw new Error(`${name} cannot be loaded: the server answered ${response.status}`);
  return response;
}

/** @param {string} path @param {Error} error @returns {never} */
function notLoaded(path, { message }) {
  throw new Error(`${path} cannot be loaded (${message}): are you online, and is the site complete?`);
}
