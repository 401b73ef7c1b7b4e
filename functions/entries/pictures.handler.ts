/** Wiring of the function that makes the pictures of sales. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { picturesApp } from '../control/pictures.ts'
import { address, nonEmpty, readEnvironment } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { connectUploadForms, s3Pictures, s3Uploads } from './adapters/pictures.s3.ts'
import { connectS3 } from './adapters/site.s3.ts'

const env = readEnvironment(
  { SITE_BUCKET: nonEmpty, UPLOAD_BUCKET: nonEmpty, AWS_ENDPOINT_URL_S3: z.optional(address) },
  process.env,
)
const telemetry = createTelemetry('pictures')
const s3 = connectS3()

const ports = {
  uploads: s3Uploads(s3, connectUploadForms(env), env.UPLOAD_BUCKET, Date.now),
  store: s3Pictures(s3, env.SITE_BUCKET),
  newUploadId: () => randomBytes(16).toString('hex'),
}

export const handler = functionUrl(telemetry, picturesApp(ports))
