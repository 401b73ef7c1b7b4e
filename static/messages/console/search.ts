/** Words of the console for the search over its sales. */
import type { Messages } from '../text.ts'

export const searchMessages = {
  'search.title': ['Search sales', '查找活动'],
  'search.find': ['Title or ID', '活动名称或 ID'],
  'search.kind': ['Type', '活动类型'],
  'search.state': ['Status', '活动状态'],
  'search.anyKind': ['All types', '全部类型'],
  'search.anyState': ['All statuses', '全部状态'],
  'search.state.waiting': ['Not scheduled', '未定时开启'],
  'search.state.scheduled': ['Scheduled', '待自动开启'],
  'search.state.live': ['Live', '进行中'],
  'search.state.paused': ['Paused', '已暂停'],
  'search.state.ended': ['Ended', '已结束'],
  'search.state.near': ['Within a day', '前后 24 小时'],
  'search.clear': ['Clear search', '清除条件'],
  'search.reading': ['Searching… back to {day}', '查找中… 已查到 {day}'],
  'search.begins': ['Searching…', '查找中…'],
  'search.stop': ['Stop', '停止查找'],
  'search.older': ['Search older sales', '继续查找更早的活动'],
  'search.found': ['{n} {n|sale|sales} found', '找到 {n} 个活动'],
  'search.foundSince': ['{n} {n|sale|sales} found, back to {day}', '已找到 {n} 个活动（查到 {day}）'],
  'search.none': ['No sales match {what}.', '没有符合 {what} 的活动。'],
  'search.noneSince': ['Nothing found for {what}, back to {day}.', '查到 {day}，没有符合 {what} 的活动。'],
} as const satisfies Messages
