/** The words that scripts of the draw have or load. */
import { sharedMessages } from '../../../../templates/messages/catalogues.ts'
import { patternsIn } from '../../../../templates/messages/patterns.ts'
import { drawCheckMessages, drawEntryMessages } from './catalogues.ts'

export const drawCheckPatterns = patternsIn(drawCheckMessages)
/** What the page of a sale that draws loads beside its own words. */
export const drawEntryPatterns = patternsIn(drawEntryMessages, sharedMessages)
