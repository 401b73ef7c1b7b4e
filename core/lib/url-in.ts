/**
 * Parses URLs in browsers. `URL.canParse` would be shorter, but it needs Chrome 120 or Safari 17, and pages support Chrome
 * 111 and Safari 16.4 (`static/build.ts`).
 */

/** Returns the URL in `text`, which may be a path if there is a `base`; undefined for invalid text. */
export function urlIn(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    // It throws nothing else (https://url.spec.whatwg.org/#dom-url-url).
    return undefined
  }
}
