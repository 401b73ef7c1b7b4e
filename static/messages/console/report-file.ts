/** Words of the console for the report of a sale. */
import type { Messages } from '../text.ts'

export const reportPanelMessages = {
  'reporting.text': [
    'How the sale went, in sums only: no names, addresses or codes. One HTML file to open, send or print, or CSV for a spreadsheet.',
    '活动成效汇总，不含姓名、地址或券码。HTML 文件可直接打开、发送或打印；CSV 文件可用表格软件处理。',
  ],
  'reporting.html': ['Report (HTML)', '下载报告（HTML）'],
  'reporting.csv': ['Report (CSV)', '下载报告（CSV）'],
  'reporting.compare': ['Compare with an earlier sale (optional)', '与往期活动对比（选填）'],
  'reporting.compareHint': [
    'Its ID. The report has the key figures of both side by side.',
    '填写往期活动 ID，报告将并列展示两期的关键数据。',
  ],
  'again.offer': ['Offer {n} {n|unit|units} again…', '再次上架剩余 {n} 件…'],
  'again.hint': [
    'What was not sold or came back, as a new sale. You see and change it before it is saved.',
    '将未售出及退回的库存作为新活动上架，保存前可查看和修改。',
  ],
  'reporting.reading': ['Reading the orders: {n} so far…', '正在读取订单：已读 {n} 条…'],
  'reporting.readingPackets': ['Reading the red packets: {n} so far…', '正在读取红包：已读 {n} 个…'],
  'reporting.unreadable': [
    'The orders can’t be read: this page is older than the shop. Reload it.',
    '无法读取订单数据：页面版本过旧，请刷新后重试。',
  ],
  'codes.text': [
    'One row per code, with its order and whether it is valid or void. Anyone who has a code can redeem it, so keep the file safe.',
    '每行一个券码，含所属订单、状态（valid 有效 / redeemed 已核销 / void 作废）及核销时间。凭码即可核销，请妥善保管文件。',
  ],
  'codes.download': ['Download coupon codes (CSV)', '下载券码（CSV）'],
  'tables.title': ['Report and tables', '报表与数据导出'],
} as const satisfies Messages
