/** How far an upload is: as state that is drawn, and in words. */
import { useEffect, useState } from 'preact/hooks'
import { refusalKey } from '../../../messages/codes.ts'
import type { Key } from '../lib/kind-words.ts'
import { type ConsoleVoice, reasonText } from '../view.ts'
import { followUpload, type UploadState, uploadState } from './upload-states.ts'

/** How far the upload is, now and after each change, of which `changed` is notified. */
export function useUpload(id: string | undefined, changed: (state: UploadState) => void): UploadState | undefined {
  const [, drawAgain] = useState<UploadState>()
  const state = id === undefined ? undefined : uploadState(id)
  useEffect(() => {
    if (id === undefined) return
    followUpload(id, () => {
      const now = uploadState(id)
      drawAgain(now)
      if (now !== undefined) changed(now)
    })
    return () => followUpload(id, () => {})
  })
  return state
}

/** Megapixels, pixels and megabytes that refusals name; the shop sends them with its own refusals. */
const limits = { pixels: 50, side: 12_000, megabytes: 10 }

/** How far it is, or why it failed. */
export function uploadNote(voice: ConsoleVoice, state: UploadState): string {
  switch (state.kind) {
    case 'sending':
      return voice.t('picture.sending')
    case 'making':
      return voice.t('picture.making')
    case 'stored':
      return ''
    case 'refused': {
      const key = refusalKey(state.reason)
      return key === undefined ? '' : voice.t(key as Key, limits)
    }
    case 'failed':
      return reasonText(voice, state.reply)
  }
}
