/** Words for readers without JavaScript, who see both languages. No script carries them. */
import type { Messages } from './text.ts'

export const noScriptMessages = {
  'noScript.needs': [
    'Turn on JavaScript to see the countdown and to buy.',
    '请启用 JavaScript，以查看倒计时并参与抢购。',
  ],
  'noScript.times': ['Sale time: {start} to {end}', '活动时间：{start} 至 {end}'],
} as const satisfies Messages
