/** A part of a path as it was meant; what is encoded wrong stays as it came. */
export function decodedPart(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
