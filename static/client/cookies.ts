/** Finds the shopper's name among the cookies that a page can read. */

const whoCookie = 'sluice_who='

/**
 * The name in `document.cookie`, or null. It is percent-encoded there; what cannot be decoded is
 * shown as it stands.
 */
export function nameInCookies(cookies: string): string | null {
  const pair = cookies.split('; ').find((each) => each.startsWith(whoCookie))
  const text = pair?.slice(whoCookie.length) ?? ''
  return text === '' ? null : decoded(text)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
