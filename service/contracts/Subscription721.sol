// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Collection721} from "./Collection721.sol";
import {IERC5643} from "./IERC5643.sol";

/// @title A collection of subscriptions (ERC-5643): single tokens that end, and never change hands.
contract Subscription721 is Collection721, IERC5643 {
    mapping(uint256 tokenId => uint64 time) private _expiresAt;

    error NoPaymentTaken();
    error NotHolder(address caller);

    modifier withoutPayment() {
        if (msg.value != 0) revert NoPaymentTaken();
        _;
    }

    /// @notice Never, whatever the terms say: it was sold to one subscriber.
    function transferable() public pure override returns (bool) {
        return false;
    }

    function expiresAt(uint256 tokenId) external view returns (uint64) {
        _requireOwned(tokenId);
        return _expiresAt[tokenId];
    }

    function isRenewable(uint256 tokenId) external view returns (bool) {
        _requireOwned(tokenId);
        return true;
    }

    /// @notice Adds time to a subscription, from its end or from now, whichever is later.
    function renewSubscription(uint256 tokenId, uint64 duration) external payable withoutPayment onlyMinter {
        _requireOwned(tokenId);
        uint64 end = _expiresAt[tokenId];
        uint64 present = uint64(block.timestamp);
        _setEnd(tokenId, (end > present ? end : present) + duration);
    }

    /// @notice Ends a subscription now.
    function cancelSubscription(uint256 tokenId) external payable withoutPayment {
        address owner = _requireOwned(tokenId);
        if (msg.sender != owner && msg.sender != minter) revert NotHolder(msg.sender);
        uint64 end = _expiresAt[tokenId];
        uint64 present = uint64(block.timestamp);
        _setEnd(tokenId, end < present ? end : present);
    }

    function supportsInterface(bytes4 id) public view override returns (bool) {
        return id == type(IERC5643).interfaceId || super.supportsInterface(id);
    }

    function _mintOne(Mint calldata one) internal override {
        super._mintOne(one);
        _setEnd(one.tokenId, one.expiresAt);
    }

    function _updateOne(uint256 tokenId, uint64 end) internal override {
        super._updateOne(tokenId, end);
        if (end != 0) _setEnd(tokenId, end);
    }

    function _setEnd(uint256 tokenId, uint64 end) private {
        _expiresAt[tokenId] = end;
        emit SubscriptionUpdate(tokenId, end);
    }
}
