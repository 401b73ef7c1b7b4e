import { describe, expect, it } from 'vitest'
import {
  baseName,
  isPictureAddress,
  pictureFile,
  pictureUrl,
  uploadedPicture,
  widthsFor,
} from '../../../core/sale/pictures.ts'

const hash = '0123456789abcdef0123456789abcdef'

it.each([
  [1, [1]],
  [480, [480]],
  [481, [480, 481]],
  [1600, [480, 960, 1600]],
  [1601, [480, 960, 1600]],
  [8000, [480, 960, 1600]],
])('the widths of a picture are of %i px no more than it has', (width, widths) => {
  expect(widthsFor(width)).toEqual(widths)
})

describe('the name of an uploaded picture', () => {
  it('says its size and its files', () => {
    const src = baseName(hash, { width: 700, height: 933 })
    expect(src).toBe(`/pictures/${hash}-700x933`)
    expect(uploadedPicture(src)).toEqual({
      width: 700,
      height: 933,
      files: [480, 700].map((width) => ({ width, path: `/${pictureFile(hash, width)}` })),
    })
  })

  it.each(['/assets/pictures/mug.svg', 'https://shop.example/a.png', `/pictures/${hash}-0x5`, '/pictures/x-5x5'])(
    'is not %s',
    (src) => {
      expect(uploadedPicture(src)).toBeUndefined()
      expect(pictureUrl(src, 480)).toBe(src)
    },
  )

  it('leads to the smallest file that is large enough, or to the largest', () => {
    const src = baseName(hash, { width: 1600, height: 900 })
    const widthAt = (width: number) => /-(\d+)\.webp$/.exec(pictureUrl(src, width))?.[1]
    expect([72, 480, 481, 1200, 5000].map(widthAt)).toEqual(['480', '480', '960', '1600', '1600'])
  })
})

describe('the address of a picture', () => {
  it.each([`/pictures/${hash}-700x933`, '/assets/pictures/mug.svg', 'https://cdn.example/a?b=c'])('may be %s', (text) =>
    expect(isPictureAddress(text)).toBe(true),
  )

  it.each([
    'http://cdn.example/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    '//cdn.example/a.png"',
    'https://cdn.example/" onerror="x',
    `/pictures/${hash}-480.webp`,
    '/pictures/../index.html',
    '',
    // Another site, in a browser.
    '//evil.example/mug.svg',
  ])('is not %j', (text) => expect(isPictureAddress(text)).toBe(false))
})
