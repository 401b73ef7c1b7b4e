#!lua flags=allow-key-locking
--[[
  gate: publish the facts of a sale to the edge.

  KEYS[1] gate:{<sale>}     hash   flag, epoch, startToken, startsAt, endsAt, nextStartsAt, version,
                                   rules, frozen, freezes, databases
  ARGV[1] version           of the sale
  ARGV[2] flag              off, on, paused or closed
  ARGV[3] epoch
  ARGV[4] start token       empty until the sale is first started
  ARGV[5] starts at         epoch ms
  ARGV[6] ends at           epoch ms
  ARGV[7] next starts at    epoch ms of the window after this one, empty when there is none
  ARGV[8] rules             checks of every request, JSON (`GateRules` of gate.ts)
  ARGV[9] frozen            1 while the stock is recovered and not for sale, else 0
  ARGV[10] databases        names of the databases of the stock, a JSON list

  Reply {code}
    1 set
    2 superseded    Redis has a newer version: nothing changed

  Setting the same version again repairs lost facts, and freezes or unfreezes a sale. `freezes` counts both,
  so that a reader can detect a freeze between two reads. publish-stock.lua stores whether the sale is sold
  out, which is not part of the version.
]]
local present = redis.call('HMGET', KEYS[1], 'version', 'frozen')
if present[1] and tonumber(ARGV[1]) < tonumber(present[1]) then return {2} end
if present[2] and present[2] ~= ARGV[9] then redis.call('HINCRBY', KEYS[1], 'freezes', 1) end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'flag', ARGV[2], 'epoch', ARGV[3], 'startToken', ARGV[4],
  'startsAt', ARGV[5], 'endsAt', ARGV[6], 'nextStartsAt', ARGV[7], 'rules', ARGV[8], 'frozen', ARGV[9],
  'databases', ARGV[10])
return {1}
