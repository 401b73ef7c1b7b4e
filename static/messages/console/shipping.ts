/** Words of the console for tracking numbers: the import of a file, line by line. */
import type { ShipmentCode } from '../../../core/api/shipment-lines.ts'
import type { CsvFault } from '../../../core/lib/csv-file.ts'
import type { Messages, Text } from '../text.ts'

/** What came of a line, or would come of it. */
const codeMessages = {
  'ship.code.shipped': ['Mark as shipped', '标记为已发货'],
  'ship.code.delivered': ['Mark as delivered', '标记为已签收'],
  'ship.code.corrected': ['Change the tracking number', '更新物流信息'],
  'ship.code.repeat': ['Already up to date', '已是最新，无需更新'],
  'ship.code.duplicate': ['The order appears twice in the file', '订单在文件中重复出现'],
  'ship.code.other-sale': ['The order belongs to another sale', '该订单属于其他活动'],
  'ship.code.not-found': ['No such order', '订单不存在'],
  'ship.code.not-paid': ['Not paid yet: don’t send it', '订单未付款，请勿发货'],
  'ship.code.ended': [
    'Cancelled, refunded or withdrawn: don’t send it',
    '订单已取消、已退款或已撤回，请勿发货',
  ],
  'ship.code.disputed': ['The payment is disputed: don’t send it', '付款存在争议，请勿发货'],
  'ship.code.already-delivered': [
    'Delivered already: its tracking number can’t change',
    '订单已签收，物流信息不可更改',
  ],
} as const satisfies Record<`ship.code.${ShipmentCode}`, Text>

/** Why a file cannot be read. */
const fileMessages = {
  'csv.no-file': ['Choose a file first.', '请先选择文件。'],
  'csv.file-changed': ['The file has changed. Choose it again.', '文件已被修改，请重新选择。'],
  'csv.too-large': [
    'The file is larger than {megabytes} MB. Split it into smaller ones.',
    '文件超过 {megabytes} MB，请拆分后再导入。',
  ],
  'csv.not-text': ['This is not a CSV file in UTF-8.', '文件不是 UTF-8 编码的 CSV 文件。'],
  'csv.empty': ['The file is empty.', '文件为空。'],
  'csv.no-lines': ['The file has only column names.', '文件只有表头，没有数据。'],
  'csv.missing-column': [
    'The column {column} is missing. The first line must name the columns.',
    '缺少列 {column}，首行必须是列名。',
  ],
  'csv.double-column': ['The column {column} is there twice.', '列 {column} 重复。'],
  'csv.unreadable': [
    'Line {line} can’t be read: it has the wrong number of cells, or a quotation mark is missing.',
    '第 {line} 行无法读取：单元格数量不符，或引号不成对。',
  ],
} as const satisfies Record<`csv.${CsvFault['kind'] | 'no-file' | 'file-changed'}`, Text>

export const shippingMessages = {
  ...codeMessages,
  ...fileMessages,
  'csv.line': ['Line', '行号'],
  'csv.result': ['Result', '结果'],
  'csv.ignored': ['Ignored columns: {columns}', '已忽略的列：{columns}'],
  'csv.more': ['And {n} more {n|line|lines}.', '另有 {n} 行。'],
  'ship.title': ['Import tracking numbers', '导入物流单号'],
  'ship.hint': [
    'A CSV file with the columns orderId, carrier, tracking and status (shipped or delivered). You see what each line does before anything changes.',
    'CSV 文件，需包含列：orderId、carrier、tracking、status（shipped 或 delivered）。确认之前不会作任何更改。',
  ],
  'ship.file': ['CSV file', 'CSV 文件'],
  'ship.check': ['Check file', '检查文件'],
  'ship.checking': ['Checking {done} of {total}…', '正在检查 {done} / {total}…'],
  'ship.order': ['Order number', '订单号'],
  'ship.ready': [
    'To import: {n}. Up to date: {same}. Can’t be imported: {wrong}.',
    '可导入 {n} 行，{same} 行已是最新，{wrong} 行无法导入。',
  ],
  'ship.do': ['Import {n} {n|line|lines}', '导入 {n} 行'],
  'ship.busy': ['Importing {done} of {total}…', '正在导入 {done} / {total}…'],
  'ship.done': ['Imported {n} of {total} {total|line|lines}.', '已导入 {n} / {total} 行。'],
  'ship.stopped': [
    'Stopped after {done} of {total} lines. Check the file again: lines that are done count only once.',
    '已处理 {done} / {total} 行后中断。请重新检查文件，已导入的行不会重复处理。',
  ],
  'ship.invalid': ['{column} can’t be read', '{column} 格式不正确'],
  'find.carrier': ['Shipment', '物流'],
  'event.shipped': ['Shipped', '已发货'],
  'event.delivered': ['Delivered', '已签收'],
  'event.coupon-redeemed': ['Coupon redeemed', '优惠券已核销'],
  'event.redemption-undone': ['Redemption undone', '核销已撤销'],
  'audit.what.ship': ['Orders shipped', '订单发货'],
} as const satisfies Messages
