/** Words of the console for what helps its user: drafts of the form, and the command palette. */
import type { Messages } from '../text.ts'

export const aidMessages = {
  'draft.restored': [
    'Restored what you entered up to {time}. It is not saved yet.',
    '已恢复您截至 {time} 填写的内容，尚未保存。',
  ],
  'draft.discard': ['Discard', '放弃'],
  'palette.title': ['Go to', '快速跳转'],
  'palette.find': ['Sale, page or action', '活动、页面或操作'],
  'palette.hint': ['↑ ↓ choose, Enter opens, Esc closes', '↑ ↓ 选择，回车打开，Esc 关闭'],
  'palette.none': ['Nothing found.', '没有匹配的结果。'],
  'palette.page': ['Page', '页面'],
  'palette.sale': ['Sale', '活动'],
  'palette.action': ['Action', '操作'],
  'turns.proposed': [
    'Expected: {from} to {to} shoppers. Random turns of {seconds} seconds keep the clicks within what the gate takes.',
    '预计 {from}–{to} 位用户到场，建议设置 {seconds} 秒的随机顺序，避免瞬时请求过多。',
  ],
  'turns.enough': [
    'Expected: {from} to {to} shoppers. These random turns are enough for the gate.',
    '预计 {from}–{to} 位用户到场，当前的随机顺序设置可以承受。',
  ],
  'turns.use': ['Set {seconds} seconds', '设为 {seconds} 秒'],
} as const satisfies Messages
