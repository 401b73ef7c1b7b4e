/** Runs SQS and S3 on this machine: fauxqs, in this process on a loopback port. */
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { PortTaken } from '../listen.ts'
import { adaptFauxqs } from './aws-adapt.ts'

/** The account and region in every local address and ARN. */
const account = '000000000000'
export const region = 'us-east-1'

export type LocalQueue = { name: string; url: string; arn: string }

export type Aws = {
  /** For AWS_ENDPOINT_URL_SQS and AWS_ENDPOINT_URL_S3. */
  endpoint: string
  port: number
  /** Creates a queue unless it exists, and sets its attributes; existing messages stay. */
  createQueue(name: string, attributes?: Record<string, string>): Promise<LocalQueue>
  /**
   * Creates a queue and its dead-letter queue, `<name>-dlq`.
   * @param settings.visibilitySeconds how long a received message stays hidden from other receivers
   * @param settings.maxReceives how often a message is received before it becomes a dead letter
   */
  createQueuePair(
    name: string,
    settings: { visibilitySeconds: number; maxReceives: number },
  ): Promise<{ queue: LocalQueue; deadLetters: LocalQueue }>
  /** Creates a bucket unless it exists. */
  createBucket(name: string): void
  stop(): Promise<void>
}

export type AwsOptions = {
  /** Stores queues, messages and objects in a file here; without it the data ends with the process. */
  dataDir?: string
  /** 0, the default, takes a free port. */
  port?: number
}

/**
 * Starts SQS and S3 on one port.
 * @throws PortTaken
 */
export async function startAws(options: AwsOptions = {}): Promise<Aws> {
  const { port = 0, dataDir } = options
  const storage = dataDir === undefined ? {} : { dataDir }
  const fauxqs = await adaptFauxqs(() => startFauxqs({ port, logger: false, defaultRegion: region, ...storage })).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE' ? new PortTaken(port) : error
    },
  )
  const endpoint = `http://127.0.0.1:${fauxqs.port}`

  const createQueue = (name: string, attributes: Record<string, string> = {}) =>
    ensureQueue(fauxqs, endpoint, name, attributes)

  return {
    endpoint,
    port: fauxqs.port,
    createQueue,
    async createQueuePair(name, { visibilitySeconds, maxReceives }) {
      const deadLetters = await createQueue(`${name}-dlq`, {
        // The maximum of SQS, as in the cloud.
        MessageRetentionPeriod: '1209600',
      })
      const redrive = { deadLetterTargetArn: deadLetters.arn, maxReceiveCount: String(maxReceives) }
      const queue = await createQueue(name, {
        VisibilityTimeout: String(visibilitySeconds),
        RedrivePolicy: JSON.stringify(redrive),
      })
      return { queue, deadLetters }
    },
    createBucket(name) {
      fauxqs.createBucket(name)
    },
    stop: () => fauxqs.stop(),
  }
}

/**
 * Returns the URL of a queue behind `endpoint`. The emulator's own queue URLs have a host name that does not resolve.
 * This also works for a proxy in front of it.
 */
export function queueUrl(endpoint: string, name: string): string {
  return `${endpoint}/${account}/${name}`
}

async function ensureQueue(
  fauxqs: FauxqsServer,
  endpoint: string,
  name: string,
  attributes: Record<string, string>,
): Promise<LocalQueue> {
  const queue = { name, url: queueUrl(endpoint, name), arn: `arn:aws:sqs:${region}:${account}:${name}` }
  // Not createQueue, which replaces an existing queue with an empty one.
  const { queues } = fauxqs.setup({ queues: [{ name, region, attributes }] })
  const isNew = queues.find((one) => one.name === name)?.created === true
  if (isNew || Object.keys(attributes).length === 0) return queue
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SetQueueAttributes' },
    body: JSON.stringify({ QueueUrl: queue.url, Attributes: attributes }),
  })
  if (!response.ok) throw new Error(`The kept queue ${name} refuses its settings: ${await response.text()}`)
  return queue
}
