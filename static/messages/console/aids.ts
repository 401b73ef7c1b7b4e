/** Words of the console for what helps its user: drafts of the form, variants from two lists, and the command palette. */
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
  'palette.searching': ['Searching sales…', '正在搜索活动…'],
  'palette.failed': [
    'Sales can’t be searched right now. Type again to retry.',
    '暂时无法搜索活动，请重新输入。',
  ],
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
  'product.title': ['Combine colours and sizes', '按颜色、尺码批量生成'],
  'product.first': ['Colours', '颜色'],
  'product.firstHint': ['For example black, white', '例如 黑色、白色'],
  'product.second': ['Sizes', '尺码'],
  'product.secondHint': ['For example S, M, L; may be empty', '例如 S、M、L，可不填'],
  'product.stock': ['Stock of each', '每种规格的库存'],
  'product.fill': ['Fill in the variants', '生成规格'],
  'product.filled': [
    'Filled in {n} variants. Check them below before you save.',
    '已生成 {n} 种规格，保存前请在下方核对。',
  ],
} as const satisfies Messages
