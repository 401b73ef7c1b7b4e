/** Views whose script is loaded when they are opened first. */
import { partMessages } from '../../messages/console/parts.ts'
import type { Text } from '../../messages/text.ts'
import type { ViewContext } from './view.ts'

/** A script that is loaded once. `loaded` is what it exports, as soon as that is there. */
export type Part<P> = { load: () => Promise<P>; loaded?: P }

export const part = <P,>(load: () => Promise<P>): Part<P> => ({ load })

/**
 * Opens the view: at once if its script is there, else when it has come, unless another view was opened meanwhile. Until
 * then the former view stays in sight and takes no input, because it has been left.
 */
export function openPart<P>(context: ViewContext, view: Part<P>, open: (loaded: P) => void): void {
  if (view.loaded !== undefined) return open(view.loaded)
  context.wait(true)
  view.load().then(
    (loaded) => {
      view.loaded = loaded
      if (context.isLeft()) return
      context.wait(false)
      open(loaded)
    },
    () => {
      if (context.isLeft()) return
      context.wait(false)
      context.draw(<FailedPart say={(text) => context.voice.say(text)} />)
    },
  )
}

/** The page is loaded anew, because some browsers remember for a page that a script could not be loaded. */
export function FailedPart({ say }: { say(text: Text): string }) {
  return (
    <>
      <h1>{say(partMessages['part.title'])}</h1>
      <div class="empty" role="alert">
        <p>{say(partMessages['part.failed'])}</p>
        <button type="button" class="button" id="retry-part" onClick={() => location.reload()}>
          {say(partMessages['part.retry'])}
        </button>
      </div>
    </>
  )
}
