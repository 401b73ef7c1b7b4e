/** Malicious files: more than a picture, larger than they look, or naming what is not their own. */
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { maxUploadBytes } from '../../../core/api/pictures.ts'
import { drawing } from './drawing.ts'
import { pictureRig, uploadId } from './picture-rig.ts'

const jpeg = await drawing(640, 480).jpeg().toBuffer()
const png = await drawing(640, 480).png().toBuffer()

/** Fewer bytes than the pixels of a large picture have. */
const zeros = deflateSync(Buffer.alloc(50_000_000))

/** A PNG of that size whose pixels are all zero, and are not even complete. */
function emptyPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', zeros), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}

/** A comment of a JPEG, behind its first marker. */
function withComment(text: string): Buffer {
  const comment = Buffer.from(text)
  const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)])
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const activeFiles: [string, Uint8Array][] = [
  ['an SVG with a script', Buffer.from(svg)],
  ['an SVG behind a declaration', Buffer.from(`<?xml version="1.0"?>\n<svg width="1" height="1"></svg>`)],
  ['a web page', Buffer.from('<!doctype html><title>x</title>')],
  ['a GIF that is a script', Buffer.from('GIF89a/*</*/=1;</script><script>alert(1)</script>')],
  ['a PDF', Buffer.from('%PDF-1.7')],
]

const plist = '<?xml version="1.0"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"><plist version="1.0"></plist>'

/** Pictures that hold text of any kind beside their pixels. */
const withText: [string, Uint8Array][] = [
  ['a JPEG with a property list in its metadata, as Photoshop writes it', withComment(plist)],
  ['a JPEG with a web page behind it', Buffer.concat([jpeg, Buffer.from('<html><body onload="x()">')])],
  ['a PNG with a script behind it', Buffer.concat([png, Buffer.from('<SCRIPT src="//x.example">')])],
  ['a JPEG with PHP in a comment', withComment('<?php system($_GET["c"]); ?>')],
  ['a JPEG with short PHP in a comment', withComment('<?= `id` ?>')],
  ['a JPEG with short PHP that does not end', withComment('<?= system($_GET["c"]);')],
  ['a JPEG with a PDF behind it', Buffer.concat([jpeg, Buffer.from('%PDF-1.7')])],
]

/** A still AVIF with the pixels of both, which have one size; those of `second` are its picture. */
function withTwoItems(first: Buffer, second: Buffer): Buffer {
  const boxIn = (file: Buffer, name: string) => {
    const from = file.indexOf(name) - 4
    return Buffer.from(file.subarray(from, from + file.readUInt32BE(from)))
  }
  const box = (head: Buffer, ...parts: Buffer[]) => {
    const whole = Buffer.concat([head, ...parts])
    whole.writeUInt32BE(whole.length)
    return whole
  }
  const [iloc, infe, ipma] = [boxIn(first, 'iloc'), boxIn(first, 'infe'), boxIn(first, 'ipma')]
  const bodies = [first, second].map((file) => boxIn(file, 'mdat').subarray(8))
  const itemOf = (id: number, from: number, length: number) => {
    const item = Buffer.from(iloc.subarray(16))
    item.writeUInt16BE(id)
    item.writeUInt32BE(from, 4)
    item.writeUInt32BE(length, item.length - 4)
    return item
  }
  const entryOf = (id: number) => Buffer.from(infe.fill(id, 13, 14))
  const endingIn2 = (head: Buffer) => head.fill(2, head.length - 1)
  const properties = (id: number) => Buffer.from(ipma.subarray(16).fill(id, 1, 2))
  const [a = 0, b = 0] = bodies.map(({ length }) => length)
  const metaOf = (from: number) =>
    box(
      boxIn(first, 'meta').subarray(0, 12),
      boxIn(first, 'hdlr'),
      box(endingIn2(iloc.subarray(0, 16)), itemOf(1, from, a), itemOf(2, from + a, b)),
      box(endingIn2(boxIn(first, 'iinf').subarray(0, 14)), entryOf(1), entryOf(2)),
      endingIn2(boxIn(first, 'pitm')),
      box(
        boxIn(first, 'iprp').subarray(0, 8),
        boxIn(first, 'ipco'),
        box(endingIn2(ipma.subarray(0, 16)), properties(1), properties(2)),
      ),
    )
  const ftyp = boxIn(first, 'ftyp')
  const meta = metaOf(ftyp.length + metaOf(0).length + 8)
  return Buffer.concat([ftyp, meta, box(Buffer.from('\0\0\0\0mdat'), ...bodies)])
}

const otherFiles: [string, Uint8Array][] = [
  ['a GIF', await drawing(20, 20).gif().toBuffer()],
  ['a TIFF', await drawing(20, 20).tiff().toBuffer()],
  ['text', Buffer.from('just text')],
  ['a ZIP', Buffer.from('PK\x03\x04', 'latin1')],
  ['one byte', Buffer.from([0xff])],
]

describe('a file is refused, published nowhere and removed, and its sender learns why', () => {
  const refused = async (content: Uint8Array) => {
    const rig = pictureRig()
    const { status, body } = await rig.send(content)
    expect(rig.files.size).toBe(0)
    expect(rig.bytes.size).toBe(0)
    expect(status).toBe(400)
    expect(String(body.detail)).toMatch(/^This (?:file|picture) .*\.$/)
    const again = await rig.call(`/${uploadId}`, {})
    expect({ status: again.statusCode, body: JSON.parse(again.body) }, 'a repeat').toEqual({ status, body })
    return body.reason
  }

  it.each(activeFiles)('when it is %s', async (_, content) => {
    expect(await refused(content)).toBe('picture-active')
  })

  it.each(withText)('not when it is %s: only its pixels are published', async (_, content) => {
    const rig = pictureRig()
    expect(await rig.send(content)).toMatchObject({ status: 200 })
    for (const bytes of rig.files.values())
      expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/plist|<html|<script|<\?(?:=|php)|%PDF/i)
  })

  it('not when it is a still AVIF with several items, of which the first is not its picture', async () => {
    const { default: sharp } = await import('sharp')
    const [red, blue] = await Promise.all(
      ['#f00', '#00f'].map((background) =>
        sharp({ create: { width: 640, height: 480, channels: 3, background } })
          .avif()
          .toBuffer(),
      ),
    )
    const rig = pictureRig()
    expect(await rig.send(withTwoItems(red ?? jpeg, blue ?? jpeg))).toMatchObject({ status: 200 })
    const { channels } = await sharp([...rig.files.values()].at(-1)).stats()
    expect(channels.map(({ mean }) => Math.round(mean / 255))).toEqual([0, 0, 1])
  })

  it.each(otherFiles)('when it is %s, under any type that its form names', async (_, content) => {
    expect(await refused(content)).toBe('picture-type')
  })

  it.each([
    ['more pixels than a camera takes', 9_000, 9_000],
    ['a side that no page can show', 12_001, 1],
    ['two thousand million pixels', 46_000, 46_000],
  ])('when it claims %s, before one of them is decoded', async (_, width, height) => {
    const bomb = emptyPng(width, height)
    expect(bomb.length).toBeLessThan(60_000)
    const before = process.resourceUsage().maxRSS
    expect(await refused(bomb)).toBe('picture-size')
    // 9,000 × 9,000 pixels would take 243 MB.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000)
  })

  it('when its pixels are fewer than it claims', async () => {
    expect(await refused(emptyPng(6_000, 6_000))).toBe('picture-broken')
  })

  it.each([
    ['a JPEG', jpeg],
    ['a PNG', png],
  ])('when it is %s that was cut off', async (_, content) => {
    expect(await refused(content.subarray(0, content.length / 2))).toBe('picture-broken')
    expect(await refused(content.subarray(0, 64))).toBe('picture-broken')
  })

  it('when it is empty, or larger than a form allows', async () => {
    expect(await refused(Buffer.alloc(0))).toBe('picture-bytes')
    expect(await refused(Buffer.concat([jpeg, Buffer.alloc(maxUploadBytes)]))).toBe('picture-bytes')
  })

  it('when it moves', async () => {
    const frames = [drawing(40, 40), drawing(40, 40).negate()].map((frame) => frame.png().toBuffer())
    const { default: sharp } = await import('sharp')
    const webp = await sharp(await Promise.all(frames), { join: { animated: true } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer()
    expect(await refused(webp)).toBe('picture-animated')
    const control = chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))
    const apng = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)])
    expect(await refused(apng)).toBe('picture-animated')
  })

  it('when it is one type by its signature and another inside', async () => {
    expect(await refused(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), png]))).toMatch(/^picture-(?:broken|type)$/)
  })
})

describe('an upload', () => {
  it('that was never given out is unknown', async () => {
    const rig = pictureRig()
    const { statusCode, body } = await rig.call(`/${uploadId}`, {})
    expect(statusCode).toBe(404)
    expect(JSON.parse(body)).toMatchObject({ code: 'not-found', reason: 'unknown-upload' })
  })

  it.each([
    '..',
    '../index.html',
    '..%2Findex.html',
    `${uploadId}/../../sales`,
    `${uploadId}%00`,
    uploadId.toUpperCase(),
    `${uploadId}0`,
    ' ',
    '*',
  ])('with the id %j reaches no bucket', async (id) => {
    const rig = pictureRig()
    expect((await rig.call(`/${id}`, {})).statusCode).toBe(404)
    expect(rig.asked).toEqual([])
  })

  it.each([{ type: 'image/svg+xml' }, { type: 'text/html' }, {}, { type: 'image/png', key: 'index.html' }])(
    'of %j gets no form',
    async (body) => {
      const rig = pictureRig()
      expect((await rig.call('', body)).statusCode).toBe(400)
      expect(rig.begun).toEqual([])
    },
  )
})
