import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { uploadedPicture } from '../../../core/sale/pictures.ts'
import { drawing } from './drawing.ts'
import { pictureRig, uploadId } from './picture-rig.ts'

const types = ['jpeg', 'png', 'webp', 'avif'] as const

describe('a picture', () => {
  it.each(types)('of %s is published as WebP in three sizes, under names of their content', async (type) => {
    const rig = pictureRig()
    // Encoding AVIF with more effort than none takes seconds.
    const drawn = type === 'avif' ? drawing(2000, 200).avif({ effort: 0 }) : drawing(2000, 200).toFormat(type)
    const { status, body } = await rig.send(await drawn.toBuffer())
    expect(status).toBe(200)
    expect(body).toMatchObject({ width: 1600, height: 160, widths: [480, 960, 1600] })
    const named = uploadedPicture(String(body.src))
    expect([...rig.files.keys()].map((path) => `/${path}`).toSorted()).toEqual(
      named?.files.map(({ path }) => path).toSorted(),
    )
    for (const { path, width } of named?.files ?? []) {
      const metadata = await sharp(rig.files.get(path.slice(1))).metadata()
      expect(metadata).toMatchObject({ format: 'webp', width, height: width / 10 })
    }
  })

  it.each([
    [300, [300]],
    [480, [480]],
    [700, [480, 700]],
    [1600, [480, 960, 1600]],
  ])('%i px wide is never enlarged', async (width, widths) => {
    const { body } = await pictureRig().send(await drawing(width, 100).png().toBuffer())
    expect(body).toMatchObject({ width, height: 100, widths })
  })

  it('keeps nothing of the file but its pixels, turned as the camera was held', async () => {
    const rig = pictureRig()
    const photo = await drawing(400, 300)
      .withExif({ IFD0: { Copyright: 'A secret of the sender' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(photo).metadata()).exif).toBeDefined()
    const { body } = await rig.send(photo)
    expect(body).toMatchObject({ width: 300, height: 400 })
    for (const file of rig.files.values()) {
      const { exif, xmp, icc, iptc, orientation } = await sharp(file).metadata()
      expect({ exif, xmp, icc, iptc, orientation }).toEqual({})
      expect(Buffer.from(file).toString('latin1')).not.toContain('secret')
    }
  })

  it('is published before its upload is removed, and a second call gives the same answer', async () => {
    const rig = pictureRig()
    const content = await drawing(500, 500).png().toBuffer()
    const first = await rig.send(content)
    expect(rig.bytes.size).toBe(0)
    const { statusCode, body } = await rig.call(`/${uploadId}`)
    expect({ status: statusCode, body: JSON.parse(body) }).toEqual(first)
    // The upload still exists, as after a call that was interrupted before it removed it.
    expect(await rig.send(content)).toEqual(first)
    // Its form accepts other bytes until it expires.
    expect(await rig.send(await drawing(300, 300).png().toBuffer())).toEqual(first)
    expect(rig.files.size).toBe(2)
  })

  it('of other pixels has another name', async () => {
    const one = await pictureRig().send(await drawing(300, 300).png().toBuffer())
    const two = await pictureRig().send(await drawing(300, 300).negate().png().toBuffer())
    expect(one.body.src).not.toBe(two.body.src)
  })

  it('keeps what is transparent', async () => {
    const rig = pictureRig()
    await rig.send(await drawing(100, 100).ensureAlpha(0.5).png().toBuffer())
    const [file] = rig.files.values()
    expect((await sharp(file).metadata()).hasAlpha).toBe(true)
  })
})

it('a form is for a new upload, the type that was asked for, and at most ten megabytes', async () => {
  const rig = pictureRig()
  const { statusCode, body } = await rig.call('', { type: 'image/avif' })
  expect(statusCode).toBe(201)
  expect(JSON.parse(body)).toMatchObject({ uploadId, url: 'https://bucket.example' })
  expect(rig.begun).toEqual([[uploadId, 'image/avif', 10_000_000]])
})
