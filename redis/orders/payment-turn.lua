#!lua flags=allow-key-locking
--[[
  payment-turn: the time at which the next payment page may be opened.

  KEYS[1] payments:{-}    hash   next
  ARGV[1] now             epoch ms
  ARGV[2] rate            turns in a second

  Reply {code, turn}
    1 taken    epoch ms, whole; now when no turn is taken

  A token bucket of one token for all environments together: turns are 1/rate s apart, in the order in
  which they were asked for. `next` is when the one after the last is, epoch ms with fractions. The key expires a second after the last turn, when it means nothing any
  more.
]]
local now, apart = tonumber(ARGV[1]), 1000 / tonumber(ARGV[2])
local turn = math.max(now, tonumber(redis.call('HGET', KEYS[1], 'next') or '0'))
local after = turn + apart
redis.call('HSET', KEYS[1], 'next', string.format('%.3f', after))
redis.call('PEXPIRE', KEYS[1], math.ceil(after - now) + 1000)
return {1, math.ceil(turn)}
