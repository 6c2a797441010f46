// Data in an address: JSON that is compressed, in characters that addresses may have.

/** @param {unknown} data @returns {Promise<string>} */
export async function packed(data) {
  const stream = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * The text in an address, which anyone may have written; null if it has too many bytes.
 * @param {string} part @param {number} [largest] how many @returns {Promise<string | null>}
 */
export async function unpacked(part, largest = Infinity) {
  const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, size] = ["", 0];
  for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
    size += value?.length ?? 0;
    if (size > largest) return reader.cancel().then(() => null);
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}
