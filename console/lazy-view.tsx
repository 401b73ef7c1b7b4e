/** Loads the scripts of views when they are first opened. */
import type { Language } from '../core/language.ts'
import type { partMessages } from '../templates/messages/catalogues.ts'
import { hasWords } from '../templates/messages/text.ts'
import { loadWords } from '../web/load-module.ts'
import type { ViewContext } from './view.ts'

/** A script that is loaded once, with the words of all views. `loaded` is what it exports, as soon as that is there. */
export type Part<P> = { load: () => Promise<P>; loaded?: P | undefined }

export const part = <P,>(load: () => Promise<P>): Part<P> => ({
  async load() {
    isLater = true
    const [loaded, isSpoken] = await Promise.all([load(), loadConsoleWords(document.documentElement.lang)])
    if (!isSpoken) throw new Error('the words of this part cannot be loaded')
    return loaded
  },
})

/** True once a view was opened that needs more words than the first screen. */
let isLater = false

/** The words of the console: those of its first screen, and later those of all views. False when they cannot be loaded now. */
export async function loadConsoleWords(language: Language): Promise<boolean> {
  const isSpoken = hasWords(language) || (await loadWords('console', language))
  return isSpoken && (!isLater || loadWords('console-later', language))
}

/**
 * Opens the view: at once if its script is there, else when it has come, unless another view was opened meanwhile. Until
 * then the former view stays in sight and takes no input, because it has been left.
 */
export function openPart<P>(context: ViewContext, view: Part<P>, open: (loaded: P) => void): void {
  if (view.loaded !== undefined) return open(view.loaded)
  context.wait(true)
  const load = view.load().catch(() => undefined)
  void load.then((loaded) => {
    view.loaded = loaded
    if (context.isLeft()) return
    context.wait(false)
    if (loaded === undefined) context.draw(<FailedPart say={(key) => context.voice.t(key)} />)
    else open(loaded)
  })
}

/** Offers to reload the page, because some browsers cache a failed import until then. */
export function FailedPart({ say }: { say(key: keyof typeof partMessages): string }) {
  return (
    <>
      <h1>{say('part.title')}</h1>
      <div class="empty" role="alert">
        <p>{say('part.failed')}</p>
        <button type="button" class="button" id="retry-part" onClick={() => location.reload()}>
          {say('part.retry')}
        </button>
      </div>
    </>
  )
}
