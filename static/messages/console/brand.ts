/** Words of the console for the form of the brand. */
import type { Messages } from '../text.ts'

export const brandFormMessages = {
  'brand.hint.name': [
    'Up to 60 characters. Leave it empty for “Shop”.',
    '最多 60 个字符，留空则显示“商店”。',
  ],
  'brand.wrong.name': ['Enter a name of up to 60 characters.', '请输入不超过 60 个字符的名称。'],
  'brand.logo': ['Logo', '店铺标志'],
  'brand.logoHint': [
    'JPEG, PNG, WebP or AVIF, shown at most 160 × 36 px in place of the name.',
    '支持 JPEG、PNG、WebP、AVIF，最大显示为 160 × 36 像素，替代店铺名称。',
  ],
  'brand.removeLogo': ['Remove logo', '移除标志'],
  'brand.hint.light': [
    'Such as #0b5a8a. Leave both colours empty for the usual ones.',
    '例如 #0b5a8a。两种颜色均留空则使用默认配色。',
  ],
  'brand.wrong.light': [
    'Enter a colour such as #0b5a8a that has a contrast of at least 4.5:1.',
    '请输入对比度不低于 4.5:1 的颜色，例如 #0b5a8a。',
  ],
  'brand.hint.dark': ['Such as #7cc4f0.', '例如 #7cc4f0。'],
  'brand.wrong.dark': [
    'Enter a colour such as #7cc4f0 that has a contrast of at least 4.5:1.',
    '请输入对比度不低于 4.5:1 的颜色，例如 #7cc4f0。',
  ],
  'brand.hint.taglineEn': ['Shown at the foot of every page.', '显示在每个页面底部。'],
  'brand.wrong.taglineEn': ['Enter a tagline of up to 160 characters.', '请输入不超过 160 个字符的标语。'],
  'brand.hint.taglineZh': ['Shown at the foot of every page.', '显示在每个页面底部。'],
  'brand.wrong.taglineZh': ['Enter a tagline of up to 160 characters.', '请输入不超过 160 个字符的标语。'],
  'brand.hint.languages': [
    'Readers of the other language see the same text, also where one of two is empty.',
    '另一种语言的读者会看到同样的文案；两种语言中缺少的一种也以另一种代替。',
  ],
  'brand.languages.both': ['English and Chinese', '英文和中文'],
  'brand.languages.en': ['English only', '仅英文'],
  'brand.languages.zh-CN': ['Chinese only', '仅中文'],
  'brand.hint.links': [
    'Up to 6, one per line: {example} A market may ask for what a link is for, at the end: | imprint, terms, privacy or withdrawal.',
    '最多 6 条，每行一条：{example} 如销售市场要求，请在行末注明用途：| imprint（公司信息）、terms（条款）、privacy（隐私）或 withdrawal（退货）。',
  ],
  'brand.wrong.links': [
    'Each line needs a label and an https address or a path, separated by “|” as in the example below the box.',
    '每行需包含名称和 https 地址或站内路径，并如下方示例以“|”分隔。',
  ],
  'brand.hint.support': ['An e-mail address or an https address.', '邮箱或 https 地址。'],
  'brand.wrong.support': ['Enter an e-mail address or an https address.', '请输入邮箱或 https 地址。'],
  'brand.sellerName': ['Company that sells', '销售公司名称'],
  'brand.hint.sellerName': [
    'As on an invoice. Shown on order pages, receipts and in e-mails.',
    '与发票一致，显示在订单页、付款明细和邮件中。',
  ],
  'brand.wrong.sellerName': ['Enter the name of the company.', '请输入公司名称。'],
  'brand.sellerAddress': ['Its address', '公司地址'],
  'brand.hint.sellerAddress': ['On one line.', '请填写在一行内。'],
  'brand.wrong.sellerAddress': ['Enter the address of the company.', '请输入公司地址。'],
  'brand.sellerEmail': ['Its e-mail address', '公司邮箱'],
  'brand.hint.sellerEmail': ['For customers.', '供顾客联系使用。'],
  'brand.wrong.sellerEmail': ['Enter an e-mail address.', '请输入邮箱地址。'],
  'brand.sellerPhone': ['Its phone number', '公司电话'],
  'brand.hint.sellerPhone': ['With the country code.', '请包含国家/地区代码。'],
  'brand.wrong.sellerPhone': ['Enter a phone number.', '请输入电话号码。'],
  'brand.sellerTaxId': ['Its VAT or tax number', '税号'],
  'brand.hint.sellerTaxId': ['Optional.', '选填。'],
  'brand.wrong.sellerTaxId': ['Enter the number on one line.', '请在一行内输入税号。'],
  'brand.uploading': ['Wait until the logo is uploaded.', '请等待标志上传完成。'],
  'brand.saved': ['Saved. All pages have it within two minutes.', '已保存，所有页面将在两分钟内更新。'],
  'brand.contrast': ['Contrast {ratio}:1', '对比度 {ratio}:1'],
  'brand.contrastLow': [
    'Contrast {ratio}:1 is too low: at least 4.5:1',
    '对比度 {ratio}:1 过低，至少需要 4.5:1',
  ],
  'brand.sampleButton': ['Buy now', '立即购买'],
  'brand.languages': ['Languages of the tagline and the links', '标语和链接的语言'],
  'effect.brandAsk': ['Change the brand?', '修改品牌设置？'],
  'effect.brandLogo': ['The logo changes.', '店铺标志将更换。'],
  'effect.brandWhere': [
    'All pages and e-mails show it within two minutes.',
    '所有页面和邮件将在两分钟内更新。',
  ],
} as const satisfies Messages
