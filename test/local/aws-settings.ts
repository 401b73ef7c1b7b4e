/** Settings of a client for AWS as it runs on this machine. */
export const localAws = (endpoint: string) => ({
  ...{ endpoint, region: 'us-east-1' },
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
})
