/**
 * Seals personal data in plain text, which opens for its purpose and owner alone. Real encryption ends on another
 * thread, at a time that no seed repeats.
 */
import type { Sealer } from '../../../functions/lib/sealer.ts'
import type { PersonalKeys } from '../../../functions/table/people/contact-item.ts'

const sealer: Sealer = {
  seal: async ({ purpose, owner }, content) => JSON.stringify({ ...content, purpose, aud: owner }),
  async open({ purpose, owner }, text) {
    const { purpose: own, ...content } = JSON.parse(text)
    return own === purpose && content.aud === owner ? content : undefined
  },
}

export const personalData = (clock: () => number): PersonalKeys => ({ sealer, personalKeys: ['a2V5'], clock })
