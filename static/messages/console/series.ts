/** Words of the console for the course of a sale: its charts and their table. */
import type { Messages } from '../text.ts'

export const seriesMessages = {
  'series.legend': ['Chart', '图表内容'],
  'series.units': ['Stock', '库存'],
  'series.clicks': ['Clicks per second', '每秒点击'],
  'series.unitsChart': [
    'Chart of the stock over time; the table below has its numbers',
    '库存走势图，数据见下方表格',
  ],
  'series.clicksChart': [
    'Chart of the clicks per second by answer; the table below has their sums',
    '每秒点击及结果走势图，累计数据见下方表格',
  ],
  'series.asked': ['Clicks', '点击'],
  'series.admitted': ['Admitted', '放行'],
  'series.won': ['Won', '抢到'],
  'series.soldOut': ['Answered “sold out”', '返回“已售罄”'],
  'series.full': ['Asked to try again', '提示稍后再试'],
  'series.table': ['Show as a table', '以表格查看'],
  'series.caption': [
    'The last hour by the minute. Clicks and answers are counted since the sale was published.',
    '最近一小时，每分钟一行。点击与结果均为活动发布以来的累计值。',
  ],
  'series.time': ['Time', '时间'],
} as const satisfies Messages
