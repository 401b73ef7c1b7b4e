/** Views whose script is loaded when they are opened first. */
import { partMessages } from '../../messages/console/parts.ts'
import type { Text } from '../../messages/text.ts'
import { make } from '../lib/dom.ts'
import type { Leave, ViewContext } from './view.ts'

/** A script that is loaded once. `loaded` is what it exports, as soon as that is there. */
type Part<P> = { load: () => Promise<P>; loaded?: P }

export const part = <P>(load: () => Promise<P>): Part<P> => ({ load })

/**
 * Opens the view: at once if its script is there, else when it has come, unless another view was opened meanwhile. Until
 * then the former view stays in sight and takes no input, because it has been left.
 */
export function openPart<P>(context: ViewContext, view: Part<P>, open: (loaded: P) => Leave): Leave {
  if (view.loaded !== undefined) return open(view.loaded)
  let hasLeft = false
  let leave: Leave = () => undefined
  context.wait(true)
  view.load().then(
    (loaded) => {
      view.loaded = loaded
      if (hasLeft) return
      context.wait(false)
      leave = open(loaded)
    },
    () => {
      if (hasLeft) return
      context.wait(false)
      context.show(...failedPart((text) => context.voice.say(text)))
    },
  )
  return () => {
    hasLeft = true
    context.wait(false)
    leave()
  }
}

/** The page is loaded anew, because some browsers remember for a page that a script could not be loaded. */
export function failedPart(say: (text: Text) => string): HTMLElement[] {
  const retry = { type: 'button', class: 'button', id: 'retry-part', click: () => location.reload() }
  return [
    make('h1', {}, say(partMessages['part.title'])),
    make(
      'div',
      { class: 'empty', role: 'alert' },
      make('p', {}, say(partMessages['part.failed'])),
      make('button', retry, say(partMessages['part.retry'])),
    ),
  ]
}
