// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC721/ERC721Upgradeable.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC2981} from "@openzeppelin/contracts/interfaces/IERC2981.sol";
import {Collection} from "./Collection.sol";
import {IERC5192} from "./IERC5192.sol";

/// @title A collection of single tokens (ERC-721), used as a clone.
/// @notice Minting one id a second time reverts, even after it was burned, so a mint that is repeated by mistake can
/// never hand out two tokens.
contract Collection721 is ERC721Upgradeable, Collection, IERC5192 {
    mapping(uint256 tokenId => bool) private _isBurned;

    /// @dev From ERC-4906, whose own interface drags in all of ERC-721 again.
    event MetadataUpdate(uint256 tokenId);
    event BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId);

    error TokenBurned(uint256 tokenId);

    function name() public view override(ERC721Upgradeable, Collection) returns (string memory) {
        return Collection.name();
    }

    function symbol() public view override(ERC721Upgradeable, Collection) returns (string memory) {
        return Collection.symbol();
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        return _uris[tokenId];
    }

    /// @notice Whether each of the tokens was ever minted, and who holds it, all at one moment. The holder is the zero
    /// address where there is no token, or none any more.
    function mintsOf(uint256[] calldata tokenIds)
        external
        view
        returns (bool[] memory areMinted, address[] memory holders)
    {
        areMinted = new bool[](tokenIds.length);
        holders = new address[](tokenIds.length);
        for (uint256 i = 0; i < tokenIds.length; ++i) {
            holders[i] = _ownerOf(tokenIds[i]);
            areMinted[i] = holders[i] != address(0) || _isBurned[tokenIds[i]];
        }
    }

    /// @notice Destroys a token. Its holder, and accounts that the holder approved, may do so.
    function burn(uint256 tokenId) external {
        _isBurned[tokenId] = true;
        _update(address(0), tokenId, msg.sender);
    }

    function locked(uint256 tokenId) external view returns (bool) {
        _requireOwned(tokenId);
        return !transferable();
    }

    function supportsInterface(bytes4 id)
        public
        view
        virtual
        override(ERC721Upgradeable, IERC165)
        returns (bool)
    {
        if (id == type(IERC5192).interfaceId) return !transferable();
        if (id == type(IERC2981).interfaceId) return true;
        // ERC-4906 defines events only and names its id.
        return id == bytes4(0x49064906) || super.supportsInterface(id);
    }

    /// @dev ERC-5192 asks for an event for each token, which is more than one transaction holds. This event tells
    /// wallets to read all tokens again.
    function _lockChanged() internal override {
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    /// @dev Not `_safeMint`: a receiving contract that reverts must not stop the others of its batch.
    function _mintOne(Mint calldata one) internal virtual override {
        if (_isBurned[one.tokenId]) revert TokenBurned(one.tokenId);
        _uris[one.tokenId] = one.uri;
        _mint(one.to, one.tokenId);
        if (!transferable()) emit Locked(one.tokenId);
    }

    function _updateOne(uint256 tokenId, uint64) internal virtual override {
        _requireOwned(tokenId);
        emit MetadataUpdate(tokenId);
    }

    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        bool isTransfer = from != address(0) && to != address(0);
        if (isTransfer && !transferable()) revert NotTransferable(tokenId);
    }
}
