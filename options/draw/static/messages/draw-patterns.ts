/** The texts that scripts of the draw contain or load. */
import { sharedMessages } from '../../../../templates/messages/catalogues.ts'
import { patternsIn } from '../../../../templates/messages/patterns.ts'
import { drawCheckMessages, drawEntryMessages } from './catalogues.ts'

export const drawCheckPatterns = patternsIn(drawCheckMessages)
/** The page of a sale with a draw loads these beside its own texts. */
export const drawEntryPatterns = patternsIn(drawEntryMessages, sharedMessages)
