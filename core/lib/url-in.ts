/**
 * The address in a text, for code that runs in browsers. `URL.canParse` would be shorter, but Chrome has it since version
 * 120 and Safari since 17, and pages are built for Chrome 111 and Safari 16.4 (`static/build.ts`): there a page that
 * calls it stops working.
 */

/** The URL in `text`, which may be a path if there is a `base`; undefined where a browser finds none. */
export function urlIn(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    // The one error that it throws (https://url.spec.whatwg.org/#dom-url-url).
    return undefined
  }
}
