import { describe, expect, it } from 'vitest'
import { address, ConfigurationError, nonEmpty, readEnvironment, redisVariables } from '../../../functions/lib/env.ts'

const shape = { ...redisVariables, TABLE_NAME: nonEmpty, ORDERS_QUEUE_URL: address }

describe('the environment of a function', () => {
  it('is returned when it is complete', () => {
    const env = readEnvironment(
      { TABLE_NAME: nonEmpty, ORDERS_QUEUE_URL: address },
      {
        TABLE_NAME: 'sluice',
        ORDERS_QUEUE_URL: 'https://sqs.example/1/orders',
        OTHER: 'ignored',
      },
    )
    expect(env).toEqual({ TABLE_NAME: 'sluice', ORDERS_QUEUE_URL: 'https://sqs.example/1/orders' })
  })

  it('is rejected with all errors at once, by name and without values', () => {
    const source = {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: 'secrets.example:443',
      AWS_SECRET_ACCESS_KEY: 'secret-1',
      GATE_REDIS_REST_URL: 'ftp://secret-2',
      TABLE_NAME: '',
    }
    const read = () => readEnvironment(shape, source)
    expect(read).toThrow(ConfigurationError)
    try {
      read()
    } catch (error) {
      expect(error instanceof ConfigurationError ? error.problems : []).toEqual([
        'STOCK_SECRET_ID is missing',
        'AWS_REGION is missing',
        'AWS_ACCESS_KEY_ID is missing',
        'AWS_ENDPOINT_URL_SECRETS_MANAGER must be an http or https address',
        'GATE_REDIS_REST_URL must be an http or https address',
        'GATE_REDIS_REST_TOKEN is missing',
        'TABLE_NAME is empty',
        'ORDERS_QUEUE_URL is missing',
      ])
      expect(String(error)).not.toMatch(/secret|example/)
    }
  })
})
