#!lua flags=allow-key-locking
--[[
  payment-turn: take the next turn to open a payment page.

  KEYS[1] payments:{-}    hash   next
  ARGV[1] now             epoch ms
  ARGV[2] rate            turns in a second

  Reply {code, turn}
    1 taken    time of the turn, in whole epoch ms; now if nobody waits

  A token bucket with one token for all environments together: turns are 1/rate s apart, first come, first
  served. `next` is the time of the next turn, epoch ms with fractions. The key expires a second after the
  last turn, when it is irrelevant.
]]
local now, apart = tonumber(ARGV[1]), 1000 / tonumber(ARGV[2])
local turn = math.max(now, tonumber(redis.call('HGET', KEYS[1], 'next') or '0'))
local after = turn + apart
redis.call('HSET', KEYS[1], 'next', string.format('%.3f', after))
redis.call('PEXPIRE', KEYS[1], math.ceil(after - now) + 1000)
return {1, math.ceil(turn)}
