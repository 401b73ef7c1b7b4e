import { describe, expect, it } from 'vitest'
import { type AwsRequest, callsOf, callsOfMissing } from '../../recording-functions.ts'

const signedFor = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=x`

const json = (service: string, target: string, input: object): AwsRequest => ({
  authorization: signedFor(service),
  method: 'POST',
  path: '/',
  target,
  body: JSON.stringify(input),
})
const table = (action: string, input: object) => callsOf(json('dynamodb', `DynamoDB_20120810.${action}`, input))
const queue = (action: string, name: string) =>
  callsOf(json('sqs', `AmazonSQS.${action}`, { QueueUrl: `http://127.0.0.1:1/000000000000/${name}` }))
const object = (method: string, path: string): AwsRequest => ({
  authorization: signedFor('s3'),
  method,
  path,
  body: '',
})
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'X' } })

describe('the rights that a call of AWS needs', () => {
  it('are those of each item of a transaction, whose own name is no right', () => {
    const TransactItems = [
      { Put: { TableName: 'sluice', Item: key('ORDERS#s#a') } },
      { Update: { TableName: 'sluice', Key: key('SALE#s') } },
      { Delete: { TableName: 'sluice', Key: key('BRAND') } },
      { ConditionCheck: { TableName: 'sluice', Key: key('SALE#s') } },
    ]
    expect(table('TransactWriteItems', { TransactItems })).toEqual([
      'dynamodb:PutItem table ORDERS#',
      'dynamodb:UpdateItem table SALE#',
      'dynamodb:DeleteItem table BRAND',
      'dynamodb:ConditionCheckItem table SALE#',
    ])
    const reads = [{ Get: { TableName: 'sluice', Key: key('SALE#s') } }]
    expect(table('TransactGetItems', { TransactItems: reads })).toEqual(['dynamodb:GetItem table SALE#'])
  })

  it('are of the index that a query reads', () => {
    const query = {
      KeyConditionExpression: 'listPk = :list AND listSk < :before',
      ExpressionAttributeValues: { ':before': { S: '0' }, ':list': { S: 'SHOPPER#mia' } },
    }
    expect(table('Query', { ...query, IndexName: 'list' })).toEqual(['dynamodb:Query table/index/list SHOPPER#'])
    expect(table('Query', query)).toEqual(['dynamodb:Query table SHOPPER#'])
  })

  it('are of batches as such, for each kind of key once', () => {
    const Keys = [key('CONTACT#mia'), key('CONTACT#tom')]
    expect(table('BatchGetItem', { RequestItems: { sluice: { Keys } } })).toEqual([
      'dynamodb:BatchGetItem table CONTACT#',
    ])
    const requests = [{ DeleteRequest: { Key: key('RELEASE#s') } }, { PutRequest: { Item: key('INVITED#s') } }]
    expect(table('BatchWriteItem', { RequestItems: { sluice: requests } })).toEqual([
      'dynamodb:BatchWriteItem table RELEASE#',
      'dynamodb:BatchWriteItem table INVITED#',
    ])
  })

  it('are of the queue that the request names, for a batch those of one message', () => {
    expect(queue('SendMessageBatch', 'orders')).toEqual(['sqs:SendMessage queue/orders'])
    expect(queue('ReceiveMessage', 'orders-dlq')).toEqual(['sqs:ReceiveMessage queue/orders-dlq'])
  })

  it('are of objects without their ids, and of the bucket where an object is missing', () => {
    const pointer = object('PUT', '/sluice-site/sales/shoes/current.json?x-id=PutObject')
    expect(callsOf(pointer)).toEqual(['s3:PutObject site/sales/{id}/current.json'])
    const countdown = object('GET', '/sluice-site/sales/shoes/countdown.1A2B3C.js')
    expect(callsOf(countdown)).toEqual(['s3:GetObject site/sales/{id}/countdown.{id}.js'])
    expect(callsOfMissing(countdown)).toEqual(['s3:ListBucket site'])
  })

  it('are of the key-value store, also with a signature that names no region', () => {
    const authorization =
      'AWS4-ECDSA-P256-SHA256 Credential=local/20260101/cloudfront-keyvaluestore/aws4_request, Signature=x'
    const path = `/key-value-stores/${encodeURIComponent('arn:aws:cloudfront::0:key-value-store/a')}`
    const call = (method: string, more: string) => callsOf({ authorization, method, path: path + more, body: '' })
    expect(call('GET', '')).toEqual(['cloudfront-keyvaluestore:DescribeKeyValueStore key-value-store'])
    expect(call('GET', '/keys/s')).toEqual(['cloudfront-keyvaluestore:GetKey key-value-store'])
    expect(call('POST', '/keys')).toEqual(['cloudfront-keyvaluestore:UpdateKeys key-value-store'])
  })

  it('are unknown for everything else, which is said at once', () => {
    expect(() => table('Scan', {})).toThrow('DynamoDB_20120810.Scan')
    expect(() => queue('SendMessage', 'others')).toThrow('others')
    expect(() => callsOf(object('GET', '/sluice-site'))).toThrow('s3 GET /sluice-site')
    expect(() => callsOf({ ...object('GET', '/'), authorization: signedFor('kms') })).toThrow('kms GET /')
  })
})
