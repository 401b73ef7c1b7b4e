#!lua flags=allow-key-locking
--[[
  payment-queue: take the next place in the queue of payment pages.

  KEYS[1] payments:{-}    hash   next
  ARGV[1] now             epoch ms
  ARGV[2] rate            pages in a second

  Reply {code, opensAt}
    1 taken    when the page may be opened, in whole epoch ms; now if nobody waits

  A token bucket with one token for all environments together: pages open 1/rate s apart, first come, first
  served. `next` is the time of the next page, epoch ms with fractions. The key expires a second after the
  last page, when it is irrelevant.
]]
local now, apart = tonumber(ARGV[1]), 1000 / tonumber(ARGV[2])
local opensAt = math.max(now, tonumber(redis.call('HGET', KEYS[1], 'next') or '0'))
local after = opensAt + apart
redis.call('HSET', KEYS[1], 'next', string.format('%.3f', after))
redis.call('PEXPIRE', KEYS[1], math.ceil(after - now) + 1000)
return {1, math.ceil(opensAt)}
