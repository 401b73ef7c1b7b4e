/** The console's words in Chinese. The build evaluates this module: its file has these words and no others. */
import { consoleMessages } from '../console.ts'
import { patternsIn } from '../text.ts'

export const chinesePatterns = patternsIn(consoleMessages, 'zh-CN')
