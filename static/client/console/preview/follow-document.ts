/**
 * Makes a part of one document equal to that of another, and touches only what differs: pictures do not
 * load again and animations do not start again.
 */
import { redraw } from '../../lib/redraw.ts'

/** Gives `place` the content of `wanted`, which may lose it. */
export function follow(place: Element, wanted: Element): void {
  const [present, next] = [[...place.childNodes], [...wanted.childNodes]]
  const isAlike = present.length === next.length && present.every((node, i) => node.nodeName === next[i]?.nodeName)
  if (!isAlike) {
    redraw(place, ...next)
    return
  }
  for (const [i, node] of present.entries()) {
    const other = next[i]
    if (other === undefined || node.isEqualNode(other)) continue
    if (isElement(node) && isElement(other) && node.cloneNode().isEqualNode(other.cloneNode())) follow(node, other)
    else place.replaceChild(other, node)
  }
}

/** The elements of another document are of its own classes. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}
