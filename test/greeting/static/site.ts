/** The greeting in the description of the API. */
import type { SiteSeam } from '../../../static/seams.ts'

export const site = {
  texts: {
    getGreeting: {
      ...{ tag: 'shopper', summary: 'Read the greeting of a sale' },
      examples: { answer: { greeting: 'Good morning!' } },
    },
  },
} as const satisfies SiteSeam
