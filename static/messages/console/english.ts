/** The console's words in English. The build evaluates this module: its file has these words and no others. */
import { consoleMessages } from '../console.ts'
import { patternsIn } from '../text.ts'

export const englishPatterns = patternsIn(consoleMessages, 'en')
