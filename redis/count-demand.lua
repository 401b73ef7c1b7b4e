#!lua flags=allow-key-locking
--[[
  count-demand: add what an instance has counted to the demand of a sale.

  KEYS[1] gate:{<sale>}:demand    hash   <where>:<outcome> -> how often
  ARGV[n] word                    <where>:<outcome>
  ARGV[n + 1] count               how often since the instance last sent it

  Reply {code}
    1 counted

  Not safe to repeat: a call whose reply was lost is not sent again, so a count may be too low and
  never too high.
]]
for at = 1, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[at], ARGV[at + 1]) end
return {1}
