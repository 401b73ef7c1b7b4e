#!lua flags=allow-key-locking
--[[
  count-demand: add the counts of an instance to the demand of a sale, or to the refused tokens.

  KEYS[1] gate:{<sale>}:demand    hash   <where>:<outcome> -> count
  ARGV[1] counts                  `<where>:<outcome> <count> <where>:<outcome> <count>` since the instance
                                  last sent its counts

  Reply {code}
    1 counted

  Not safe to repeat: a call whose reply was lost is not sent again, so a count may be too low and
  never too high.
]]
for word, count in string.gmatch(ARGV[1], '(%S+) (%d+)') do redis.call('HINCRBY', KEYS[1], word, count) end
return {1}
