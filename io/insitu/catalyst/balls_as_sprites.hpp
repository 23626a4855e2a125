// ParaView shows points as spheres by Point Gaussian, which it takes for fog: with several ranks it asks for ordered
// compositing, that is, the points are dealt out anew to the ranks by a tree of boxes, and the picture of a nearer box
// is laid over that of a farther one. Balls are not fog: at every face between two boxes, those that reach across it
// were cut, and a seam was seen. They also need no order, since each of their pixels knows its depth. This takes the
// wish for order out of every Point Gaussian, in all scripts; it also saves dealing out the points, the larger part of
// the time. Things that can be looked through still ask for it themselves.
#pragma once

// Before ParaView is started: of two makers of a thing it takes the one that it was told of first, and complains of the
// other.
void show_balls_as_sprites();
