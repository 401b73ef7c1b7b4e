/** The texts of the draw's own pages and scripts. */
import { catalogue } from '../../../../templates/messages/language-files.ts'

export const drawFaultMessages = catalogue('draw-faults')
export const drawCheckMessages = catalogue('shared', 'draw-faults', 'draw-check')
export const drawEntryMessages = catalogue('draw-entry')
